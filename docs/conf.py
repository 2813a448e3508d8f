"""The configuration of the pages, built by make docs."""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

import bascule
import bascule.pandas
import generated_pages
import reference_lists

generated_pages.write(HERE / "generated", HERE.parent)
reference_lists.ufuncs_as_functions()

project = "bascule"
author = "The bascule developers"
project_copyright = "The bascule developers"
version = release = bascule.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "graphs",
    "pandas_sections",
    "see_also",
]
exclude_patterns = ["_build", "generated/*.md", "from", "maintenance"]
templates_path = ["_templates"]
nitpicky = False

# Pages are MyST; those in generated/notebooks are notebooks in text form, run when the pages are built.
myst_enable_extensions = ["colon_fence", "deflist"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 3
os.environ.pop("MPLBACKEND", None)  # kernels put plots into the page
# Kernels communicate with this process only, so that their warning of unencrypted sockets does not apply.
os.environ["IPYTHONDIR"] = str(HERE.parent / "build" / "docs" / "ipython")
profile = Path(os.environ["IPYTHONDIR"]) / "profile_default"
profile.mkdir(parents=True, exist_ok=True)
(profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n")
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "build" / "docs" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 300

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# The copy button leaves out prompts and output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "bascule"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_sidebars = {"**": ["all_pages.html"]}
html_theme_options = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "navbar_center": [],  # the sidebar has every page
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

# The switch between versions, where the address of the site is known: docs/_ext/versions.py makes the list.
if site := os.environ.get("BASCULE_DOCS_SITE"):
    html_theme_options |= {
        "switcher": {"json_url": f"{site.rstrip('/')}/switcher.json", "version_match": version},
        "check_switcher": False,
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
    }

MAYBE = ("gpu", "deployment")  # pages that are listed if they exist


def adapted(app, name, content):
    """Remove missing pages from the table of contents, and links to files outside of the pages."""
    if name == "index":
        absent = [page for page in MAYBE if not (HERE / f"{page}.md").exists()]
        content[0] = "\n".join(line for line in content[0].splitlines() if line not in absent)
    content[0] = re.sub(r"\[([^\]]+)\]\(\.\./([^)]+)\)", r"\1 (`\2`)", content[0])


def setup(app):
    app.connect("source-read", adapted)
