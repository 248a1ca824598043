public class Small {
    public static void main(String[] args) {
        System.out.println("small");
    }
}
