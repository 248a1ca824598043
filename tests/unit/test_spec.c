/* test_spec.c: a native's descriptor and terms, compiled. */
#include "jvm/spec.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static int compile(const char *descriptor, bool is_static, const char *terms, struct canon_spec *spec)
{
    char problem[256] = "";
    int status = canon_spec_compile(descriptor, is_static, terms, spec, problem, sizeof problem);
    if (status && !*problem)
        fail_msg("%s \"%s\": %s, and no word why", descriptor, terms, canon_error_text(status));
    return status;
}

static void good(const char *descriptor, bool is_static, const char *terms, struct canon_spec *spec)
{
    char problem[256] = "";
    if (canon_spec_compile(descriptor, is_static, terms, spec, problem, sizeof problem))
        fail_msg("%s \"%s\": %s", descriptor, terms, problem);
}

/* ---- descriptors
 * -------------------------------------------------------------------------------------------------- */

static void arguments_are_read_off_the_descriptor(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(ZBCSIJFDLjava/lang/String;[B[[ILjava/io/File;)V", true, NULL, &spec);
    static const char TYPES[] = "ZBCSIJFDL[[L";
    assert_int_equal(spec.arg_count, strlen(TYPES));
    for (int i = 0; i < spec.arg_count; i++) {
        assert_int_equal(spec.args[i].type, TYPES[i]);
        assert_int_equal(spec.args[i].is_string, i == 8);
        assert_int_equal(spec.args[i].compared, i < 8);
    }
    assert_int_equal(spec.args[9].element, 'B');
    assert_int_equal(spec.args[10].element, '[');
    assert_int_equal(spec.result, 'V');
    assert_int_equal(spec.term_count, 0);
    assert_true(spec.has_inputs);
}

static void every_return_type_is_known(void **state)
{
    (void)state;
    static const char *const RESULTS[] = {"V", "Z", "B", "C", "S", "I", "J", "F", "D", "Ljava/lang/Object;",
                                          "[B"};
    for (size_t i = 0; i < sizeof RESULTS / sizeof *RESULTS; i++) {
        char descriptor[64];
        struct canon_spec spec;
        snprintf(descriptor, sizeof descriptor, "()%s", RESULTS[i]);
        good(descriptor, true, "", &spec);
        assert_int_equal(spec.result, RESULTS[i][0]);
        assert_false(spec.has_inputs);
    }
}

/* env and receiver take two of the six integer registers; floats have eight of their own. */
static void arguments_are_where_the_calling_convention_puts_them(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(IJLjava/lang/Object;ZIDFDFDFDFDI)V", false, "", &spec);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(spec.args[i].place, CANON_PLACE_INTEGER);
        assert_int_equal(spec.args[i].slot, 2 + i);
    }
    assert_int_equal(spec.args[4].place, CANON_PLACE_STACK);
    assert_int_equal(spec.args[4].slot, 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(spec.args[5 + i].place, CANON_PLACE_FLOAT);
        assert_int_equal(spec.args[5 + i].slot, i);
    }
    assert_int_equal(spec.args[13].place, CANON_PLACE_STACK); /* the ninth float */
    assert_int_equal(spec.args[13].slot, 1);
    assert_int_equal(spec.args[14].place, CANON_PLACE_STACK);
    assert_int_equal(spec.args[14].slot, 2);
    assert_int_equal(spec.stack_slots, 3);
}

static void a_descriptor_that_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "",     "I",          "(",    "()",  "(I",    "(I)",  "(V)V",   "(X)V", "([)V",
        "(L)V", "(Ljava/x)V", "()X",  "()L", "()La",  "()[",  "()[V",   ")V",   "(I)VV",
        "()II", "()V ",       "(*)V", "*",   "(I;)V", "(L;I", "()Lx;y",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct canon_spec spec;
        if (!compile(BAD[i], true, "", &spec))
            fail_msg("\"%s\" passes for a descriptor", BAD[i]);
    }
}

static void a_descriptor_with_too_many_arguments_is_refused(void **state)
{
    (void)state;
    char descriptor[CANON_ARGS_MAX + 8] = "(";
    struct canon_spec spec;
    memset(descriptor + 1, 'I', CANON_ARGS_MAX);
    strcpy(descriptor + 1 + CANON_ARGS_MAX, ")V");
    good(descriptor, true, "", &spec);
    assert_int_equal(spec.arg_count, CANON_ARGS_MAX);
    strcpy(descriptor + 1 + CANON_ARGS_MAX, "I)V");
    assert_int_equal(compile(descriptor, true, "", &spec), CANON_E_LIMIT);
}

/* ---- terms
 * ---------------------------------------------------------------------------------------------------------
 */

static void terms_are_read(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("([BII)I", false, "  fd(this.fd)   out(1,2,ret) ", &spec);
    assert_int_equal(spec.term_count, 2);
    assert_int_equal(spec.terms[0].kind, CANON_TERM_FD);
    assert_int_equal(spec.terms[0].operands[0].kind, CANON_OPERAND_THIS_FD);
    const struct canon_term *out = &spec.terms[1];
    assert_int_equal(out->kind, CANON_TERM_OUT);
    assert_int_equal(out->operands[0].kind, CANON_OPERAND_ARG);
    assert_int_equal(out->operands[0].value, 1);
    assert_int_equal(out->operands[1].value, 2);
    assert_int_equal(out->operands[2].kind, CANON_OPERAND_RET);
    assert_int_equal(out->operands[2].factor, 1);
    assert_true(spec.has_inputs);
}

static void lengths_may_be_constants_and_multiples(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(JI)I", true, "outmem(1,ret*12)", &spec);
    assert_int_equal(spec.terms[0].operands[1].kind, CANON_OPERAND_RET);
    assert_int_equal(spec.terms[0].operands[1].factor, 12);
    good("(JI)I", true, "outmem(1,=16)", &spec);
    assert_int_equal(spec.terms[0].operands[1].kind, CANON_OPERAND_CONST);
    assert_int_equal(spec.terms[0].operands[1].value, 16);
    good("(JI)I", true, "outmem(1,2*8)", &spec);
    assert_int_equal(spec.terms[0].operands[1].kind, CANON_OPERAND_ARG);
    assert_int_equal(spec.terms[0].operands[1].factor, 8);
}

static void addresses_and_skipped_arguments_are_not_compared(void **state)
{
    (void)state;
    static const struct {
        const char *terms;
        bool compared[3];
    } CASES[] = {
        {"", {true, true, true}},
        {"outmem(1,ret)", {false, true, true}},
        {"inmem(1,2)", {false, true, true}},
        {"outiov(1,2)", {false, true, true}},
        {"iniov(1,2)", {false, true, true}},
        {"cstr(3)", {true, true, false}},
        {"skip(1) skip(2)", {false, false, true}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct canon_spec spec;
        good("(JIJ)I", true, CASES[i].terms, &spec);
        for (int n = 0; n < 3; n++)
            if (spec.args[n].compared != CASES[i].compared[n])
                fail_msg("\"%s\", argument %d", CASES[i].terms, n + 1);
    }
}

static void what_is_compared_is_noticed(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(J)V", true, "skip(1)", &spec);
    assert_false(spec.has_inputs);
    good("(Ljava/io/FileDescriptor;)V", true, "", &spec);
    assert_false(spec.has_inputs);
    good("(Ljava/io/FileDescriptor;)V", true, "fd(1)", &spec);
    assert_true(spec.has_inputs);
    good("([BII)V", true, "skip(2) skip(3) in(1,2,3)", &spec);
    assert_true(spec.has_inputs);
}

static void a_term_that_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {
        "nonsense(1)",
        "out",
        "out(",
        "out()",
        "out(1)",
        "out(1,2)",
        "out(1,2,3",
        "out(1,2,3,4)",
        "out(1 ,2,3)",
        "out(1,2,ret)x",
        "out(1,2,ret))",
        "(1)",
        ")",
        ",",
        "OUT(1,2,ret)",
        "out[1,2,ret]",
        "out(,2,ret)",
        "out(1,,ret)",
        "out(1,2,)",
        "out(a,2,ret)",
        "out(1,2,rat)",
        "out(1,2,ret*)",
        "out(1,2,ret*x)",
        "out(1,2,=)",
        "out(1,2,re",
        "fd(this.)",
        "fd(this.fe)",
        "fd(thi)",
        "out(1,2,ret)out(1,2,ret)",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct canon_spec spec;
        if (!compile("([BII)I", false, BAD[i], &spec))
            fail_msg("\"%s\" passes for a term", BAD[i]);
    }
}

static void an_argument_that_is_not_there_is_refused(void **state)
{
    (void)state;
    static const char *const BAD[] = {"out(0,2,ret)", "out(4,2,ret)", "out(-1,2,ret)",
                                      "out(1,4,ret)", "out(1,2,4)",   "out(99999999999999999999,2,ret)",
                                      "skip(4)",      "fd(0)"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct canon_spec spec;
        if (compile("([BII)I", false, BAD[i], &spec) != CANON_E_INVALID)
            fail_msg("\"%s\" passes", BAD[i]);
    }
}

static void a_term_on_an_argument_of_the_wrong_type_is_refused(void **state)
{
    (void)state;
    /* arguments: 1 byte[], 2 int, 3 long, 4 Object, 5 int[], 6 Object[], 7 double */
    static const char DESCRIPTOR[] = "([BIJLjava/lang/Object;[I[Ljava/lang/Object;D)I";
    static const char *const BAD[] = {
        "out(2,2,ret)",   "out(5,2,ret)", "out(6,2,ret)",  "in(3,2,ret)",
        "show(4)",        "outarray(6)",  "outarray(2)",   "outelems(5)",
        "outelems(4)",    "outfields(1)", "outfields(2)",  "outfd(2)",
        "outmem(2,ret)",  "inmem(4,ret)", "outiov(1,ret)", "iniov(7,2)",
        "retmap(3)",      "fd(3)",        "fd(1)",         "inbyte(3)",
        "path(2)",        "cstr(2)",      "cstr(this)",    "out(this,2,ret)",
        "out(ret,2,ret)", "skip(this)",   "skip(=1)",      "outfields(this.fd)",
        "out(=1,2,ret)",
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct canon_spec spec;
        if (!compile(DESCRIPTOR, false, BAD[i], &spec))
            fail_msg("\"%s\" passes", BAD[i]);
    }
}

/* An offset or a length is a number: not the receiver, not an object, not an array. */
static void an_offset_or_length_that_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char DESCRIPTOR[] = "([BIJLjava/lang/Object;[I[Ljava/lang/Object;D)I";
    static const char *const BAD[] = {"out(1,this,ret)", "out(1,2,this)", "out(1,2,this.fd)",
                                      "out(1,4,ret)",    "out(1,2,5)",    "out(1,7,ret)",
                                      "outmem(3,this)",  "outmem(3,1)",   "in(1,this.fd,ret)"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        struct canon_spec spec;
        if (!compile(DESCRIPTOR, false, BAD[i], &spec))
            fail_msg("\"%s\" passes", BAD[i]);
    }
}

static void a_native_may_return_or_close_a_descriptor(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(JI)I", true, "retfd(1)", &spec);
    good("()I", true, "retfd(=0)", &spec);
    good("(I)V", true, "closes(1)", &spec);
    good("(Ljava/io/FileDescriptor;)V", true, "closes(1)", &spec);
    good("()V", false, "closes(this.fd)", &spec);
    assert_int_equal(compile("()J", true, "retfd(=0)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(I)I", true, "retfd(1)", &spec), CANON_E_INVALID); /* no path */
    assert_int_equal(compile("(J)V", true, "closes(1)", &spec), CANON_E_INVALID);
}

static void a_static_native_has_no_receiver(void **state)
{
    (void)state;
    static const char *const TERMS[] = {"fd(this.fd)", "outfd(this)", "outfields(this)"};
    for (int i = 0; i < 3; i++) {
        struct canon_spec spec;
        good("(I)V", false, TERMS[i], &spec);
        assert_int_equal(compile("(I)V", true, TERMS[i], &spec), CANON_E_INVALID);
    }
}

static void a_native_that_returns_nothing_has_no_ret(void **state)
{
    (void)state;
    struct canon_spec spec;
    assert_int_equal(compile("([BI)V", true, "out(1,2,ret)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(J)V", true, "retmap(1)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(J)I", true, "retmap(1)", &spec), CANON_E_INVALID); /* an int is no address */
    good("(J)J", true, "retmap(1)", &spec);
}

static void a_function_has_its_arguments_only(void **state)
{
    (void)state;
    struct canon_spec spec;
    char problem[256];
    assert_int_equal(canon_spec_compile("(IJJIJJ)J", CANON_CALLEE_FUNCTION,
                                        "fd(1) outmem(2,ret) outaddr(5,6)", &spec, problem, sizeof problem),
                     0);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(spec.args[i].place, CANON_PLACE_INTEGER);
        assert_int_equal(spec.args[i].slot, i);
    }
    assert_true(spec.args[2].compared && spec.args[3].compared);
    assert_false(spec.args[1].compared || spec.args[4].compared || spec.args[5].compared);
    assert_int_equal(
        canon_spec_compile("(I)I", CANON_CALLEE_FUNCTION, "outfd(this)", &spec, problem, sizeof problem),
        CANON_E_INVALID);
}

static void addresses_are_long(void **state)
{
    (void)state;
    struct canon_spec spec;
    good("(JJ)J", true, "retarg(1) outaddr(1,2)", &spec);
    good("(JJIIIJ)J", true, "filemap(1,2,6)", &spec);
    assert_int_equal(compile("(JI)J", true, "outaddr(1,2)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(JJ)J", true, "outaddr(1,=16)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(JJ)I", true, "retarg(1)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(IJ)J", true, "retarg(1)", &spec), CANON_E_INVALID);
    assert_int_equal(compile("(JJ)I", true, "filemap(1,2,2)", &spec), CANON_E_INVALID);
}

static void too_many_terms_are_refused(void **state)
{
    (void)state;
    char terms[CANON_TERMS_MAX * 8 + 16] = "";
    struct canon_spec spec;
    for (int i = 0; i < CANON_TERMS_MAX; i++)
        strcat(terms, "skip(1) ");
    good("(I)V", true, terms, &spec);
    strcat(terms, "skip(1)");
    assert_int_equal(compile("(I)V", true, terms, &spec), CANON_E_LIMIT);
}

static void a_problem_is_cut_to_its_room(void **state)
{
    (void)state;
    char problem[8] = "xxxxxxx";
    struct canon_spec spec;
    assert_true(canon_spec_compile("(I)V", true, "a term that is very long indeed", &spec, problem, 4) < 0);
    assert_int_equal(strlen(problem), 3);
    assert_int_equal(problem[5], 'x');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_read_off_the_descriptor),
        cmocka_unit_test(every_return_type_is_known),
        cmocka_unit_test(arguments_are_where_the_calling_convention_puts_them),
        cmocka_unit_test(a_descriptor_that_is_none_is_refused),
        cmocka_unit_test(a_descriptor_with_too_many_arguments_is_refused),
        cmocka_unit_test(terms_are_read),
        cmocka_unit_test(lengths_may_be_constants_and_multiples),
        cmocka_unit_test(addresses_and_skipped_arguments_are_not_compared),
        cmocka_unit_test(what_is_compared_is_noticed),
        cmocka_unit_test(a_term_that_is_none_is_refused),
        cmocka_unit_test(an_argument_that_is_not_there_is_refused),
        cmocka_unit_test(a_term_on_an_argument_of_the_wrong_type_is_refused),
        cmocka_unit_test(an_offset_or_length_that_is_no_number_is_refused),
        cmocka_unit_test(a_native_may_return_or_close_a_descriptor),
        cmocka_unit_test(a_static_native_has_no_receiver),
        cmocka_unit_test(a_native_that_returns_nothing_has_no_ret),
        cmocka_unit_test(a_function_has_its_arguments_only),
        cmocka_unit_test(addresses_are_long),
        cmocka_unit_test(too_many_terms_are_refused),
        cmocka_unit_test(a_problem_is_cut_to_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
