echo secret >in/forbidden && chmod 000 in/forbidden
