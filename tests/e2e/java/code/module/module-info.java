module canon.e2e {
    requires java.logging;
}
