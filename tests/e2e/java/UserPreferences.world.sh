mkdir -p home/.java/.userPrefs/canon/e2e home/.systemPrefs
chmod -R 700 home/.java
touch home/.java/.userPrefs/.userRootModFile.root home/.systemPrefs/.system.lock home/.systemPrefs/.systemRootModFile
cat >home/.java/.userPrefs/canon/e2e/prefs.xml <<END
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE map SYSTEM "http://java.sun.com/dtd/preferences.dtd">
<map MAP_XML_VERSION="1.0">
  <entry key="nonce" value="$NONCE"/>
</map>
END
