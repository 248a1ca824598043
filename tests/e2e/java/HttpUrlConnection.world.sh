serve WebServer
