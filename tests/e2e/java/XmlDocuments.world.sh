printf 'about %s' "$NONCE" >in/title.txt
cat >in/doc.xml <<END
<!DOCTYPE doc [<!ENTITY title SYSTEM "title.txt">]>
<doc when="$(date +%s)"><title>&title;</title><n>1</n><n>2</n><n>39</n></doc>
END
cat >in/style.xsl <<'END'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="text"/>
  <xsl:template match="doc"><xsl:value-of select="@when"/>:<xsl:for-each select="n">
    <xsl:sort order="descending" data-type="number"/>[<xsl:value-of select="."/>]</xsl:for-each></xsl:template>
</xsl:stylesheet>
END
