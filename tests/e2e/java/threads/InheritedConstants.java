// Initialisers of interfaces run when a constant is looked at, which code names as one of the class that has it
// from there: who is first does it, and not who first makes an object of that class.
// stdout: ^by:( [0-9]+:hand-[0-3]){12}$
public class InheritedConstants {
    static final StringBuffer BY = new StringBuffer();

    static int note(int number) {
        BY.append(" " + number + ':' + Thread.currentThread().getName());
        return number;
    }

    interface I0 { int VALUE = note(0); }
    interface I1 { int VALUE = note(1); }
    interface I2 { int VALUE = note(2); }
    interface I3 { int VALUE = note(3); }
    interface I4 { int VALUE = note(4); }
    interface I5 { int VALUE = note(5); }
    interface I6 { int VALUE = note(6); }
    interface I7 { int VALUE = note(7); }
    interface I8 { int VALUE = note(8); }
    interface I9 { int VALUE = note(9); }
    interface I10 { int VALUE = note(10); }
    interface I11 { int VALUE = note(11); }

    static class C0 extends P0 { }
    static class C1 implements I1 { }
    static class C2 implements I2 { }
    static class C3 extends P3 { }
    static class C4 implements I4 { }
    static class C5 implements I5 { }
    static class C6 extends P6 { }
    static class C7 implements I7 { }
    static class C8 implements I8 { }
    static class C9 extends P9 { }
    static class C10 implements I10 { }
    static class C11 implements I11 { }

    static class P0 implements I0 { }
    static class P3 implements I3 { }
    static class P6 implements I6 { }
    static class P9 implements I9 { }

    static int use(int which) {
        switch (which) {
            case 0: return new C0().hashCode() * 0 + C0.VALUE;
            case 1: return new C1().hashCode() * 0 + C1.VALUE;
            case 2: return new C2().hashCode() * 0 + C2.VALUE;
            case 3: return new C3().hashCode() * 0 + C3.VALUE;
            case 4: return new C4().hashCode() * 0 + C4.VALUE;
            case 5: return new C5().hashCode() * 0 + C5.VALUE;
            case 6: return new C6().hashCode() * 0 + C6.VALUE;
            case 7: return new C7().hashCode() * 0 + C7.VALUE;
            case 8: return new C8().hashCode() * 0 + C8.VALUE;
            case 9: return new C9().hashCode() * 0 + C9.VALUE;
            case 10: return new C10().hashCode() * 0 + C10.VALUE;
            case 11: return new C11().hashCode() * 0 + C11.VALUE;
            default: return 0;
        }
    }

    public static void main(String[] args) throws Exception {
        String seen = Crew.run(4, (number, trail) -> {
            for (int i = 0; i < 12; i++) {
                use((i + 3 * number * (int) (System.nanoTime() % 3)) % 12);
                trail.saw(BY.length());
            }
            for (int i = 0; i < 12; i++) {
                use(i);
            }
        });
        System.out.println("by:" + BY);
        System.out.println("seen " + seen);
    }
}
