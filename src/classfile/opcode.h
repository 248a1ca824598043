/*
 * opcode.h: the instruction set as one table.
 *
 * X(opcode, NAME, length in bytes, kind, stack slots popped, stack slots pushed). Length 0 means that it
 * depends on operands (switches, wide). The stack effect of FIELD and INVOKE instructions depends on a
 * descriptor, and that of MULTIANEWARRAY on its operand: their rows say 0, 0.
 */
#ifndef CANON_CLASSFILE_OPCODE_H
#define CANON_CLASSFILE_OPCODE_H

#include <stdint.h>

/* clang-format off */
#define CANON_OPCODES(X) \
    X(0, NOP, 1, PLAIN, 0, 0)                 \
    X(1, ACONST_NULL, 1, PLAIN, 0, 1)         \
    X(2, ICONST_M1, 1, PLAIN, 0, 1)           \
    X(3, ICONST_0, 1, PLAIN, 0, 1)            \
    X(4, ICONST_1, 1, PLAIN, 0, 1)            \
    X(5, ICONST_2, 1, PLAIN, 0, 1)            \
    X(6, ICONST_3, 1, PLAIN, 0, 1)            \
    X(7, ICONST_4, 1, PLAIN, 0, 1)            \
    X(8, ICONST_5, 1, PLAIN, 0, 1)            \
    X(9, LCONST_0, 1, PLAIN, 0, 2)            \
    X(10, LCONST_1, 1, PLAIN, 0, 2)           \
    X(11, FCONST_0, 1, PLAIN, 0, 1)           \
    X(12, FCONST_1, 1, PLAIN, 0, 1)           \
    X(13, FCONST_2, 1, PLAIN, 0, 1)           \
    X(14, DCONST_0, 1, PLAIN, 0, 2)           \
    X(15, DCONST_1, 1, PLAIN, 0, 2)           \
    X(16, BIPUSH, 2, PLAIN, 0, 1)             \
    X(17, SIPUSH, 3, PLAIN, 0, 1)             \
    X(18, LDC, 2, LDC, 0, 1)                  \
    X(19, LDC_W, 3, POOL, 0, 1)               \
    X(20, LDC2_W, 3, POOL, 0, 2)              \
    X(21, ILOAD, 2, LOCAL, 0, 1)              \
    X(22, LLOAD, 2, LOCAL, 0, 2)              \
    X(23, FLOAD, 2, LOCAL, 0, 1)              \
    X(24, DLOAD, 2, LOCAL, 0, 2)              \
    X(25, ALOAD, 2, LOCAL, 0, 1)              \
    X(26, ILOAD_0, 1, PLAIN, 0, 1)            \
    X(27, ILOAD_1, 1, PLAIN, 0, 1)            \
    X(28, ILOAD_2, 1, PLAIN, 0, 1)            \
    X(29, ILOAD_3, 1, PLAIN, 0, 1)            \
    X(30, LLOAD_0, 1, PLAIN, 0, 2)            \
    X(31, LLOAD_1, 1, PLAIN, 0, 2)            \
    X(32, LLOAD_2, 1, PLAIN, 0, 2)            \
    X(33, LLOAD_3, 1, PLAIN, 0, 2)            \
    X(34, FLOAD_0, 1, PLAIN, 0, 1)            \
    X(35, FLOAD_1, 1, PLAIN, 0, 1)            \
    X(36, FLOAD_2, 1, PLAIN, 0, 1)            \
    X(37, FLOAD_3, 1, PLAIN, 0, 1)            \
    X(38, DLOAD_0, 1, PLAIN, 0, 2)            \
    X(39, DLOAD_1, 1, PLAIN, 0, 2)            \
    X(40, DLOAD_2, 1, PLAIN, 0, 2)            \
    X(41, DLOAD_3, 1, PLAIN, 0, 2)            \
    X(42, ALOAD_0, 1, PLAIN, 0, 1)            \
    X(43, ALOAD_1, 1, PLAIN, 0, 1)            \
    X(44, ALOAD_2, 1, PLAIN, 0, 1)            \
    X(45, ALOAD_3, 1, PLAIN, 0, 1)            \
    X(46, IALOAD, 1, PLAIN, 2, 1)             \
    X(47, LALOAD, 1, PLAIN, 2, 2)             \
    X(48, FALOAD, 1, PLAIN, 2, 1)             \
    X(49, DALOAD, 1, PLAIN, 2, 2)             \
    X(50, AALOAD, 1, PLAIN, 2, 1)             \
    X(51, BALOAD, 1, PLAIN, 2, 1)             \
    X(52, CALOAD, 1, PLAIN, 2, 1)             \
    X(53, SALOAD, 1, PLAIN, 2, 1)             \
    X(54, ISTORE, 2, LOCAL, 1, 0)             \
    X(55, LSTORE, 2, LOCAL, 2, 0)             \
    X(56, FSTORE, 2, LOCAL, 1, 0)             \
    X(57, DSTORE, 2, LOCAL, 2, 0)             \
    X(58, ASTORE, 2, LOCAL, 1, 0)             \
    X(59, ISTORE_0, 1, PLAIN, 1, 0)           \
    X(60, ISTORE_1, 1, PLAIN, 1, 0)           \
    X(61, ISTORE_2, 1, PLAIN, 1, 0)           \
    X(62, ISTORE_3, 1, PLAIN, 1, 0)           \
    X(63, LSTORE_0, 1, PLAIN, 2, 0)           \
    X(64, LSTORE_1, 1, PLAIN, 2, 0)           \
    X(65, LSTORE_2, 1, PLAIN, 2, 0)           \
    X(66, LSTORE_3, 1, PLAIN, 2, 0)           \
    X(67, FSTORE_0, 1, PLAIN, 1, 0)           \
    X(68, FSTORE_1, 1, PLAIN, 1, 0)           \
    X(69, FSTORE_2, 1, PLAIN, 1, 0)           \
    X(70, FSTORE_3, 1, PLAIN, 1, 0)           \
    X(71, DSTORE_0, 1, PLAIN, 2, 0)           \
    X(72, DSTORE_1, 1, PLAIN, 2, 0)           \
    X(73, DSTORE_2, 1, PLAIN, 2, 0)           \
    X(74, DSTORE_3, 1, PLAIN, 2, 0)           \
    X(75, ASTORE_0, 1, PLAIN, 1, 0)           \
    X(76, ASTORE_1, 1, PLAIN, 1, 0)           \
    X(77, ASTORE_2, 1, PLAIN, 1, 0)           \
    X(78, ASTORE_3, 1, PLAIN, 1, 0)           \
    X(79, IASTORE, 1, PLAIN, 3, 0)            \
    X(80, LASTORE, 1, PLAIN, 4, 0)            \
    X(81, FASTORE, 1, PLAIN, 3, 0)            \
    X(82, DASTORE, 1, PLAIN, 4, 0)            \
    X(83, AASTORE, 1, PLAIN, 3, 0)            \
    X(84, BASTORE, 1, PLAIN, 3, 0)            \
    X(85, CASTORE, 1, PLAIN, 3, 0)            \
    X(86, SASTORE, 1, PLAIN, 3, 0)            \
    X(87, POP, 1, PLAIN, 1, 0)                \
    X(88, POP2, 1, PLAIN, 2, 0)               \
    X(89, DUP, 1, PLAIN, 1, 2)                \
    X(90, DUP_X1, 1, PLAIN, 2, 3)             \
    X(91, DUP_X2, 1, PLAIN, 3, 4)             \
    X(92, DUP2, 1, PLAIN, 2, 4)               \
    X(93, DUP2_X1, 1, PLAIN, 3, 5)            \
    X(94, DUP2_X2, 1, PLAIN, 4, 6)            \
    X(95, SWAP, 1, PLAIN, 2, 2)               \
    X(96, IADD, 1, PLAIN, 2, 1)               \
    X(97, LADD, 1, PLAIN, 4, 2)               \
    X(98, FADD, 1, PLAIN, 2, 1)               \
    X(99, DADD, 1, PLAIN, 4, 2)               \
    X(100, ISUB, 1, PLAIN, 2, 1)              \
    X(101, LSUB, 1, PLAIN, 4, 2)              \
    X(102, FSUB, 1, PLAIN, 2, 1)              \
    X(103, DSUB, 1, PLAIN, 4, 2)              \
    X(104, IMUL, 1, PLAIN, 2, 1)              \
    X(105, LMUL, 1, PLAIN, 4, 2)              \
    X(106, FMUL, 1, PLAIN, 2, 1)              \
    X(107, DMUL, 1, PLAIN, 4, 2)              \
    X(108, IDIV, 1, PLAIN, 2, 1)              \
    X(109, LDIV, 1, PLAIN, 4, 2)              \
    X(110, FDIV, 1, PLAIN, 2, 1)              \
    X(111, DDIV, 1, PLAIN, 4, 2)              \
    X(112, IREM, 1, PLAIN, 2, 1)              \
    X(113, LREM, 1, PLAIN, 4, 2)              \
    X(114, FREM, 1, PLAIN, 2, 1)              \
    X(115, DREM, 1, PLAIN, 4, 2)              \
    X(116, INEG, 1, PLAIN, 1, 1)              \
    X(117, LNEG, 1, PLAIN, 2, 2)              \
    X(118, FNEG, 1, PLAIN, 1, 1)              \
    X(119, DNEG, 1, PLAIN, 2, 2)              \
    X(120, ISHL, 1, PLAIN, 2, 1)              \
    X(121, LSHL, 1, PLAIN, 3, 2)              \
    X(122, ISHR, 1, PLAIN, 2, 1)              \
    X(123, LSHR, 1, PLAIN, 3, 2)              \
    X(124, IUSHR, 1, PLAIN, 2, 1)             \
    X(125, LUSHR, 1, PLAIN, 3, 2)             \
    X(126, IAND, 1, PLAIN, 2, 1)              \
    X(127, LAND, 1, PLAIN, 4, 2)              \
    X(128, IOR, 1, PLAIN, 2, 1)               \
    X(129, LOR, 1, PLAIN, 4, 2)               \
    X(130, IXOR, 1, PLAIN, 2, 1)              \
    X(131, LXOR, 1, PLAIN, 4, 2)              \
    X(132, IINC, 3, LOCAL, 0, 0)              \
    X(133, I2L, 1, PLAIN, 1, 2)               \
    X(134, I2F, 1, PLAIN, 1, 1)               \
    X(135, I2D, 1, PLAIN, 1, 2)               \
    X(136, L2I, 1, PLAIN, 2, 1)               \
    X(137, L2F, 1, PLAIN, 2, 1)               \
    X(138, L2D, 1, PLAIN, 2, 2)               \
    X(139, F2I, 1, PLAIN, 1, 1)               \
    X(140, F2L, 1, PLAIN, 1, 2)               \
    X(141, F2D, 1, PLAIN, 1, 2)               \
    X(142, D2I, 1, PLAIN, 2, 1)               \
    X(143, D2L, 1, PLAIN, 2, 2)               \
    X(144, D2F, 1, PLAIN, 2, 1)               \
    X(145, I2B, 1, PLAIN, 1, 1)               \
    X(146, I2C, 1, PLAIN, 1, 1)               \
    X(147, I2S, 1, PLAIN, 1, 1)               \
    X(148, LCMP, 1, PLAIN, 4, 1)              \
    X(149, FCMPL, 1, PLAIN, 2, 1)             \
    X(150, FCMPG, 1, PLAIN, 2, 1)             \
    X(151, DCMPL, 1, PLAIN, 4, 1)             \
    X(152, DCMPG, 1, PLAIN, 4, 1)             \
    X(153, IFEQ, 3, IF, 1, 0)                 \
    X(154, IFNE, 3, IF, 1, 0)                 \
    X(155, IFLT, 3, IF, 1, 0)                 \
    X(156, IFGE, 3, IF, 1, 0)                 \
    X(157, IFGT, 3, IF, 1, 0)                 \
    X(158, IFLE, 3, IF, 1, 0)                 \
    X(159, IF_ICMPEQ, 3, IF, 2, 0)            \
    X(160, IF_ICMPNE, 3, IF, 2, 0)            \
    X(161, IF_ICMPLT, 3, IF, 2, 0)            \
    X(162, IF_ICMPGE, 3, IF, 2, 0)            \
    X(163, IF_ICMPGT, 3, IF, 2, 0)            \
    X(164, IF_ICMPLE, 3, IF, 2, 0)            \
    X(165, IF_ACMPEQ, 3, IF, 2, 0)            \
    X(166, IF_ACMPNE, 3, IF, 2, 0)            \
    X(167, GOTO, 3, GOTO, 0, 0)               \
    X(168, JSR, 3, JSR, 0, 1)                 \
    X(169, RET, 2, RET, 0, 0)                 \
    X(170, TABLESWITCH, 0, SWITCH, 1, 0)      \
    X(171, LOOKUPSWITCH, 0, SWITCH, 1, 0)     \
    X(172, IRETURN, 1, RETURN, 1, 0)          \
    X(173, LRETURN, 1, RETURN, 2, 0)          \
    X(174, FRETURN, 1, RETURN, 1, 0)          \
    X(175, DRETURN, 1, RETURN, 2, 0)          \
    X(176, ARETURN, 1, RETURN, 1, 0)          \
    X(177, RETURN, 1, RETURN, 0, 0)           \
    X(178, GETSTATIC, 3, FIELD, 0, 0)         \
    X(179, PUTSTATIC, 3, FIELD, 0, 0)         \
    X(180, GETFIELD, 3, FIELD, 0, 0)          \
    X(181, PUTFIELD, 3, FIELD, 0, 0)          \
    X(182, INVOKEVIRTUAL, 3, INVOKE, 0, 0)    \
    X(183, INVOKESPECIAL, 3, INVOKE, 0, 0)    \
    X(184, INVOKESTATIC, 3, INVOKE, 0, 0)     \
    X(185, INVOKEINTERFACE, 5, INVOKE, 0, 0)  \
    X(186, INVOKEDYNAMIC, 5, INVOKE, 0, 0)    \
    X(187, NEW, 3, POOL, 0, 1)                \
    X(188, NEWARRAY, 2, PLAIN, 1, 1)          \
    X(189, ANEWARRAY, 3, POOL, 1, 1)          \
    X(190, ARRAYLENGTH, 1, PLAIN, 1, 1)       \
    X(191, ATHROW, 1, THROW, 1, 0)            \
    X(192, CHECKCAST, 3, POOL, 1, 1)          \
    X(193, INSTANCEOF, 3, POOL, 1, 1)         \
    X(194, MONITORENTER, 1, PLAIN, 1, 0)      \
    X(195, MONITOREXIT, 1, PLAIN, 1, 0)       \
    X(196, WIDE, 0, WIDE, 0, 0)               \
    X(197, MULTIANEWARRAY, 4, POOL, 0, 0)     \
    X(198, IFNULL, 3, IF, 1, 0)               \
    X(199, IFNONNULL, 3, IF, 1, 0)            \
    X(200, GOTO_W, 5, GOTO_W, 0, 0)           \
    X(201, JSR_W, 5, JSR_W, 0, 1)
/* clang-format on */

enum canon_op {
#define X(number, name, length, kind, pops, pushes) CANON_OP_##name = number,
    CANON_OPCODES(X)
#undef X
};

/* What an instruction's operands are, and where control goes behind it. */
enum canon_op_kind {
    CANON_KIND_INVALID, /* not an opcode of a class file */
    CANON_KIND_PLAIN,   /* nothing to follow or to shift */
    CANON_KIND_LOCAL,   /* a local variable's number in one byte */
    CANON_KIND_LDC,     /* a constant's index in one byte */
    CANON_KIND_POOL,    /* a constant's index in two bytes */
    CANON_KIND_FIELD,   /* likewise, a field reference */
    CANON_KIND_INVOKE,  /* likewise, a method reference or call site */
    CANON_KIND_WIDE,
    CANON_KIND_IF,
    CANON_KIND_JSR,
    CANON_KIND_JSR_W,
    CANON_KIND_GOTO, /* from here on control never reaches the next instruction */
    CANON_KIND_GOTO_W,
    CANON_KIND_SWITCH,
    CANON_KIND_RET,
    CANON_KIND_RETURN,
    CANON_KIND_THROW,
};

struct canon_opcode {
    uint8_t length;
    uint8_t kind; /* enum canon_op_kind */
    uint8_t pops;
    uint8_t pushes;
};

extern const struct canon_opcode canon_opcodes[256];

static inline enum canon_op_kind canon_opcode_kind(uint8_t opcode)
{
    return (enum canon_op_kind)canon_opcodes[opcode].kind;
}

static inline int canon_opcode_falls_through(uint8_t opcode)
{
    return canon_opcodes[opcode].kind < CANON_KIND_GOTO;
}

#endif
