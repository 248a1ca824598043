code lib/greeter.jar
