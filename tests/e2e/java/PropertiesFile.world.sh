printf 'nonce=%s\ngreeting = gr\\u00fc\\u00df dich\n# comment\nempty=\n' "$NONCE" >in/app.properties
