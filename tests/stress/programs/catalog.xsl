<?xml version="1.0"?>
<!-- Turns the catalogue into a page: shelves by key, sorted, with prices, word counts and an index of tags. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" indent="yes"/>
  <xsl:key name="shelf" match="item" use="@shelf"/>
  <xsl:key name="tag" match="item" use="tag"/>

  <xsl:template match="/catalog">
    <html><body>
      <xsl:for-each select="item[generate-id() = generate-id(key('shelf', @shelf)[1])]">
        <xsl:sort select="@shelf"/>
        <xsl:variable name="items" select="key('shelf', @shelf)"/>
        <h1><xsl:value-of select="translate(@shelf, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')"/></h1>
        <p><xsl:value-of select="concat(count($items), ' items, ', format-number(sum($items/@price), '#,##0.00'))"/></p>
        <xsl:apply-templates select="$items">
          <xsl:sort select="@price" data-type="number" order="descending"/>
          <xsl:sort select="title"/>
        </xsl:apply-templates>
      </xsl:for-each>
      <xsl:call-template name="tags"/>
    </body></html>
  </xsl:template>

  <xsl:template match="item">
    <div id="{generate-id()}">
      <b><xsl:number value="position()" format="i. "/><xsl:value-of select="title"/></b>
      <xsl:text> by </xsl:text><i><xsl:value-of select="by"/></i>
      <xsl:choose>
        <xsl:when test="@price &gt; 200">, dear</xsl:when>
        <xsl:when test="@price &lt; 20 and count(tag) = 1">, cheap</xsl:when>
        <xsl:otherwise>, <xsl:value-of select="format-number(@price, '0.00')"/></xsl:otherwise>
      </xsl:choose>
      <xsl:text> (</xsl:text>
      <xsl:call-template name="words"><xsl:with-param name="text" select="normalize-space(about)"/></xsl:call-template>
      <xsl:text> words)</xsl:text>
      <xsl:for-each select="tag"><a href="#{.}"><xsl:value-of select="."/></a></xsl:for-each>
    </div>
  </xsl:template>

  <xsl:template name="words">
    <xsl:param name="text"/>
    <xsl:param name="so-far" select="1"/>
    <xsl:choose>
      <xsl:when test="contains($text, ' ')">
        <xsl:call-template name="words">
          <xsl:with-param name="text" select="substring-after($text, ' ')"/>
          <xsl:with-param name="so-far" select="$so-far + 1"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$so-far"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="tags">
    <ul>
      <xsl:for-each select="item/tag[generate-id(..) = generate-id(key('tag', .)[1])]">
        <xsl:sort select="."/>
        <li><xsl:value-of select="."/>: <xsl:value-of select="count(key('tag', .))"/></li>
      </xsl:for-each>
    </ul>
  </xsl:template>
</xsl:stylesheet>
