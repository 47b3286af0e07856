/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion of XML trees: parameters, repeats, conditions, expressions, limits, places. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "xml_expand.h"

static struct dpl_arena arena;
static struct dpl_diags diags;

static void finish(void)
{
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(xml_expand, .fini = finish);

static const struct dpl_xml_node *read_text(const char *text)
{
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag = {.text = ""};
    cr_assert_eq(dpl_xml_read_memory(&arena, "t.xml", text, strlen(text), &root, &diag), 0, "%s",
                 diag.text);
    return root;
}

static int expand_with(const char *text, const struct dpl_xml_given *given, size_t n,
                       const struct dpl_xml_node **ret_root)
{
    *ret_root = NULL;
    return dpl_xml_expand(&arena, read_text(text), given, n, "this file", NULL, &diags, ret_root);
}

static const struct dpl_xml_node *expand(const char *text)
{
    const struct dpl_xml_node *root;
    int rc = expand_with(text, NULL, 0, &root);
    cr_assert_eq(rc, 0, "%s", diags.n ? diags.items[0].text : "");
    return root;
}

/* <a x="1"><b/></a> of a tree; what it writes ends when `out` is full. */
static void write_tree(const struct dpl_xml_node *node, char *out, size_t size)
{
    size_t n = strlen(out);
    n += (size_t)snprintf(out + n, size - n, "<%s", node->name);
    for (size_t i = 0; i < node->n_attributes; i++) {
        n += (size_t)snprintf(out + n, size - n, " %s='%s'", node->attributes[i].name,
                              node->attributes[i].value);
    }
    n += (size_t)snprintf(out + n, size - n, ">");
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        write_tree(child, out, size);
    }
    n = strlen(out);
    snprintf(out + n, size - n, "</%s>", node->name);
}

static void expect(const char *text, const char *expanded)
{
    char out[2000] = "";
    write_tree(expand(text), out, sizeof out);
    cr_assert_str_eq(out, expanded, "%s becomes %s", text, out);
    cr_assert_eq(diags.n, 0, "%s", diags.n ? diags.items[0].text : "");
}

static void expect_finding(const char *text, enum dpl_severity severity, int line, int column,
                           const char *said)
{
    const struct dpl_xml_node *root;
    int rc = expand_with(text, NULL, 0, &root);
    cr_assert_eq(rc, severity == DPL_SEVERITY_ERROR ? -EINVAL : 0, "%s", text);
    cr_assert_eq(root != NULL, rc == 0, "written on success only");
    cr_assert_eq(diags.n, 1, "%zu findings: %s", diags.n, text);
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_eq(diag->severity, severity);
    cr_assert_not_null(strstr(diag->text, said), "%s", diag->text);
    cr_assert_eq(diag->place.line, line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "column %d: %s", diag->place.column, diag->text);
    dpl_diags_finish(&diags);
}

static void expect_error(const char *text, int line, int column, const char *said)
{
    expect_finding(text, DPL_SEVERITY_ERROR, line, column, said);
}

Test(xml_expand, tree_without_anything_to_expand_is_the_same_tree)
{
    const struct dpl_xml_node *root = read_text("<a x='1'><b y='$(2)'/>text {1+1}</a>"), *out;
    cr_assert_eq(dpl_xml_expand(&arena, root, NULL, 0, "this file", NULL, &diags, &out), 0);
    cr_assert_eq(out, root, "text is no attribute: its braces stay");
}

Test(xml_expand, trees_expand_to_other_trees)
{
    static const struct {
        const char *text, *expanded;
    } rows[] = {
        /* repeat makes copies with the index */
        {"<a><Repeat count='3' index='i'><b n='door{i}' z='{3.2*i}'/></Repeat><c/></a>",
         "<a><b n='door0' z='0'></b><b n='door1' z='3.2'></b><b n='door2' z='6.4'></b><c></c></a>"},
        /* repeat may start elsewhere and lack an index */
        {"<a><Repeat count='2' index='i' first='-1'><b n='{i}'/></Repeat>"
         "<Repeat count='2'><c/></Repeat><Repeat count='0'><d/></Repeat></a>",
         "<a><b n='-1'></b><b n='0'></b><c></c><c></c></a>"},
        /* repeats nest */
        {"<a><Repeat count='2' index='i'><r><Repeat count='{i+1}' index='j'>"
         "<b n='{i}.{j}'/></Repeat></r></Repeat></a>",
         "<a><r><b n='0.0'></b></r><r><b n='1.0'></b><b n='1.1'></b></r></a>"},
        /* parameter is an expression of earlier ones */
        {"<a top='{H*N}'><Param name='N' value='12'/><Param name='H' value='{N/4 + 0.2}'/>"
         "<b z='{H} m'/></a>",
         "<a top='38.400000000000006'><b z='3.2 m'></b></a>"},
        /* parameter in a repeat is new in each round */
        {"<a><Repeat count='2' index='i'><Param name='z' value='{10*i}'/><b z='{z+1}'/>"
         "</Repeat><Repeat count='1' index='i'><b i='{i}'/></Repeat></a>",
         "<a><b z='1'></b><b z='11'></b><b i='0'></b></a>"},
        /* condition keeps or leaves out its contents */
        {"<a><Repeat count='3' index='i'><If test='{i &lt; 2}'><b n='{i}'/></If></Repeat>"
         "<If test='0'><c/><Param name='q' value='{1/0}'/></If></a>",
         "<a><b n='0'></b><b n='1'></b></a>"},
        /* double braces are braces */
        {"<a n='{{x}} {1+1} }}{{'/>", "<a n='{x} 2 }{'></a>"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(rows[i].text, rows[i].expanded);
    }
}

Test(xml_expand, what_cannot_be_expanded_is_an_error_where_it_is)
{
    static const struct {
        const char *text;
        int line, column;
        const char *said;
    } rows[] = {
        /* error has the place inside of the value */
        {"<a>\n  <b name='x' z='1 + {3 * j}'/>\n</a>", 2, 27, "unknown name 'j'"},
        {"<a>\n  <b z='{1 &lt; 2 ? q : 3}'/>\n</a>", 2, 21, "unknown name 'q'"},
        {"<a>\n  <b z='\xc3\xa9\xea\xb0\x80{1/0}'/>\n</a>", 2, 13, "division by zero"},
        {"<a>\n  <b z='{1 +\n     q}'/>\n</a>", 3, 6, "unknown name 'q'"},
        {"<a>\r\n  <b z='{1 +\r\n   q}'/>\r\n</a>", 3, 4, "unknown name 'q'"},
        {"<a z='&#123;q}'/>", 1, 13, "unknown name 'q'"},
        /* braces that do not match are errors */
        {"<a z='12{3'/>", 1, 9, "'{' without '}'"},
        {"<a z='{1{2}'/>", 1, 7, "'{' without '}'"},
        {"<a z='1}'/>", 1, 8, "'}' without '{'"},
        {"<a z='{}'/>", 1, 8, "the expression ends where a number"},
        /* message about a repeat says which round */
        {"<a><Repeat count='3' index='i'><b z='{1/(i-1)}'/></Repeat></a>", 1, 40,
         "division by zero (in repeat i=1)"},
        {"<a><Repeat count='3' index='i'><Repeat count='3' index='j' first='5'>"
         "<b z='{1/(i+j-7)}'/></Repeat></Repeat></a>",
         1, 78, "division by zero (in repeat i=0, j=7)"},
        {"<a><Repeat count='2'><b z='{1/0}'/></Repeat></a>", 1, 30,
         "division by zero (in repeat 0)"},
        /* wrong parameter is an error */
        {"<a>\n <Param value='1'/></a>", 2, 2, "<Param> lacks the attribute 'name'"},
        {"<a>\n <Param name='N'/></a>", 2, 2, "<Param> lacks the attribute 'value'"},
        {"<a><Param name='N' value='x'/></a>", 1, 27,
         "value: found 'x', expected a number or an {expression}"},
        {"<a><Param name='N' value='{M}'/><Param name='M' value='1'/></a>", 1, 28,
         "unknown name 'M'"},
        {"<a><Param name='2N' value='1'/></a>", 1, 17, "found '2N', expected a name"},
        {"<a><Param name='sin' value='1'/></a>", 1, 17, "'sin' has a meaning"},
        {"<a>\n<Param name='N' value='1'/>\n<Param name='N' value='2'/></a>", 3, 14,
         "the name 'N' is given already, at line 2"},
        {"<a><Repeat count='1' index='i'><Repeat count='1' index='i'/></Repeat></a>", 1, 57,
         "the name 'i' is given already"},
        /* wrong repeat is an error */
        {"<a><Repeat index='i'/></a>", 1, 4, "<Repeat> lacks the attribute 'count'"},
        {"<a><Repeat count='-1'/></a>", 1, 19, "count: found -1, expected a whole number"},
        {"<a><Repeat count='{5/2}'/></a>", 1, 19, "count: found 2.5, expected a whole"},
        {"<a><Repeat count='100001'/></a>", 1, 19, "from 0 to 100000"},
        {"<a><Repeat count='2' first='0.5'/></a>", 1, 29, "first: found 0.5"},
        {"<a><Repeat count='2' index='pi'/></a>", 1, 29, "'pi' has a meaning"},
        {"<a><If/></a>", 1, 4, "<If> lacks the attribute 'test'"},
        {"<a><If test='yes'/></a>", 1, 14, "test: found 'yes', expected a number"},
        /* elements and rounds are limited */
        {"<a><Repeat count='1000'><Repeat count='1000'><b/></Repeat></Repeat></a>", 1, 25,
         "the file expands to more than 100000 elements (in repeat 49, "},
        {"<a><Repeat count='1000'><Repeat count='1000'/></Repeat></a>", 1, 25,
         "more than 100000 elements"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].text, rows[i].line, rows[i].column, rows[i].said);
    }
}

Test(xml_expand, value_from_outside_replaces_that_of_a_parameter_of_the_file)
{
    const struct dpl_xml_given given[] = {{"N", "2", {"--param", 0, 0}, {"--param", 0, 0}},
                                          {"N", " 3 ", {"--param", 0, 0}, {"--param", 0, 0}}};
    const struct dpl_xml_node *root;
    char out[500] = "";
    cr_assert_eq(expand_with("<a><Param name='N' value='{1/0}'/><Param name='M' value='{2*N}'/>"
                             "<b n='{M}'/></a>",
                             given, 2, &root),
                 0);
    write_tree(root, out, sizeof out);
    cr_assert_str_eq(out, "<a><b n='6'></b></a>", "the last one counts");
}

static void expect_refused(const char *text, const char *name, const char *value, const char *said)
{
    const struct dpl_xml_given given = {name, value, {"--param X", 0, 0}, {"--param V", 0, 0}};
    const struct dpl_xml_node *root;
    cr_assert_eq(expand_with(text, &given, 1, &root), -EINVAL);
    cr_assert_eq(diags.n, 1);
    cr_assert_not_null(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
    cr_assert_eq(strncmp(diags.items[0].place.file, "--param", 7), 0);
    dpl_diags_finish(&diags);
}

Test(xml_expand, unknown_name_from_outside_is_an_error_with_the_nearest_one)
{
    const char *text = "<a><Param name='FLOORS' value='1'/><If test='1'>"
                       "<Param name='LOCAL' value='2'/></If></a>";
    expect_refused(text, "FLOOR", "2",
                   "this file has no parameter 'FLOOR', did you mean 'FLOORS'?");
    expect_refused(text, "LOCAL", "2", "this file has no parameter 'LOCAL'");
    expect_refused("<a/>", "N", "2", "this file has no parameter 'N'");
}

Test(xml_expand, value_from_outside_is_a_number)
{
    expect_refused("<a><Param name='N' value='1'/></a>", "N", "two", "N: found 'two', expected a");
    expect_refused("<a><Param name='N' value='1'/></a>", "N", "", "N: found '', expected a number");
    expect_refused("<a><Param name='N' value='1'/></a>", "N", "2 m", "N: found '2 m', expected");
}

Test(xml_expand, node_of_a_repeat_knows_its_round_and_its_place)
{
    const struct dpl_xml_node *root =
        expand("<a>\n<Repeat count='2' index='i'>\n  <b z='{i}'><c/></b></Repeat><d/></a>");
    const struct dpl_xml_node *b = root->children->next;
    cr_assert_str_eq(b->within, "in repeat i=1");
    cr_assert_str_eq(b->children->within, "in repeat i=1");
    cr_assert_eq(b->place.line, 3);
    cr_assert_eq(b->place.column, 3);
    cr_assert_eq(b->attributes[0].value_place.column, 9);
    cr_assert_null(b->next->within);
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, b->place, "before");
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, b->place, "behind");
    dpl_xml_say_within(b, &diags, 1);
    dpl_xml_say_within(b->next, &diags, 0);
    cr_assert_str_eq(diags.items[0].text, "before");
    cr_assert_str_eq(diags.items[1].text, "behind (in repeat i=1)");
}

Test(xml_expand, long_message_is_cut_before_the_round)
{
    const struct dpl_xml_node *root = expand("<a><Repeat count='1' index='i'><b/></Repeat></a>");
    char text[DPL_DIAG_TEXT_MAX];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    dpl_diags_add(&diags, DPL_SEVERITY_ERROR, root->place, "%s", text);
    dpl_xml_say_within(root->children, &diags, 0);
    cr_assert_eq(strlen(diags.items[0].text), DPL_DIAG_TEXT_MAX - 1);
    cr_assert_str_eq(diags.items[0].text + DPL_DIAG_TEXT_MAX - 19, "xx (in repeat i=0)");
}

Test(xml_expand, unknown_attribute_and_contents_are_warnings)
{
    enum dpl_severity warning = DPL_SEVERITY_WARNING;
    expect_finding("<a><Repeat count='2' indx='i'/></a>", warning, 1, 22,
                   "unknown attribute 'indx', did you mean 'index'?");
    expect_finding("<a><If test='1' else='2'/></a>", warning, 1, 17,
                   "unknown attribute 'else', ignored");
    expect_finding("<a><If test='1'>text</If></a>", warning, 1, 17, "<If> holds text, ignored");
    expect_finding("<a><Param name='N' value='1'><b/></Param></a>", warning, 1, 30,
                   "<Param> holds no elements, <b> is ignored");
}

Test(xml_expand, all_errors_are_found_in_one_pass_but_one_round_of_a_repeat)
{
    const struct dpl_xml_node *root;
    cr_assert_eq(expand_with("<a><b z='{q}'/><Repeat count='9'><b z='{r}'/></Repeat>"
                             "<b z='{s}'/></a>",
                             NULL, 0, &root),
                 -EINVAL);
    cr_assert_eq(diags.n, 3);
}

Test(xml_expand, bytes_of_values_are_limited)
{
    static char text[200100];
    strcpy(text, "<a><Repeat count='1000'><b z='");
    memset(text + strlen(text), 'x', 200000 - strlen(text));
    strcpy(text + 200000, "'/></Repeat></a>");
    expect_error(text, 1, 28, "bytes of values");
}

Test(xml_expand, names_are_limited)
{
    static char text[10000] = "<a>";
    for (int i = 0; i <= DPL_XML_PARAMS_MAX; i++) {
        snprintf(text + strlen(text), 100, "<Param name='N%d' value='1'/>\n", i);
    }
    strcat(text, "</a>");
    expect_error(text, DPL_XML_PARAMS_MAX + 1, 14, "more than 128 names");
}

Test(xml_expand, limits_hold_for_several_files_together)
{
    struct dpl_xml_work work = {0};
    const struct dpl_xml_node *tree = read_text("<a><Repeat count='30000'><b/></Repeat></a>");
    const struct dpl_xml_node *root;
    cr_assert_eq(dpl_xml_expand(&arena, tree, NULL, 0, "this file", &work, &diags, &root), 0);
    cr_assert_eq(dpl_xml_expand(&arena, tree, NULL, 0, "this file", &work, &diags, &root), -EINVAL);
}
