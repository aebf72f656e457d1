/* reload LIBRARY PACKAGE COUNT: opens and closes the library, with a load in between; a
 * session may be alive. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <dlfcn.h>
#include <kiln/runtime.h>
#include <stdio.h>
#include <stdlib.h>

typedef kiln_status *load_function(const char *, const kiln_model_options *,
                                   kiln_model **);
typedef kiln_status *create_function(kiln_model *, const kiln_session_options *,
                                     kiln_session **);
typedef void release_function(kiln_model *);

int main(int count, char **words) {
  for (int i = 0; count == 4 && i < atoi(words[3]); ++i) {
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    load_function *load =
        library ? (load_function *)dlsym(library, "kiln_model_load") : NULL;
    create_function *create =
        library ? (create_function *)dlsym(library, "kiln_session_create") : NULL;
    release_function *release =
        library ? (release_function *)dlsym(library, "kiln_model_release") : NULL;
    kiln_model *model = NULL;
    kiln_session *session = NULL;
    if (!load || !create || !release || load(words[2], NULL, &model) ||
        create(model, NULL, &session))
      return 1;
    release(model); /* the session stays, and its threads with it */
    printf("dlopen and dlclose\t%s\n", dlclose(library) ? dlerror() : "loads");
  }
  return 0;
}
