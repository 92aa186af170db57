/** The style sheet and the script of the site, which load nothing else. */
export const STYLE = `:root{color-scheme:light dark;--bg:#fff;--soft:#f4f5f7;--line:#d8dce2;--text:#1b1f24;--muted:#59636e;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--bg:#14171b;--soft:#1e2329;--line:#363d46;--text:#e6e9ed;--muted:#a3adb8;--link:#7ab7f5}}
:root[data-theme=dark]{color-scheme:dark;--bg:#14171b;--soft:#1e2329;--line:#363d46;--text:#e6e9ed;--muted:#a3adb8;--link:#7ab7f5}
:root[data-theme=light]{color-scheme:light}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.6 system-ui,sans-serif}
a{color:var(--link)}
.skip{position:absolute;left:-100rem}
.skip:focus{left:1rem;top:1rem;z-index:3;background:var(--bg);padding:.5rem}
.bar{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;padding:.6rem 1rem;background:var(--bg);border-bottom:1px solid var(--line)}
.bar a.home{font-weight:700;text-decoration:none;color:var(--text)}
.bar form{flex:1;min-width:0;max-width:28rem;margin-left:auto;position:relative}
input,button{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.3rem .6rem;min-height:2.25rem}
input{width:100%}
button{cursor:pointer}
#found{position:absolute;right:0;top:2.6rem;width:min(36rem,92vw);max-height:70vh;overflow:auto;background:var(--bg);border:1px solid var(--line);border-radius:6px;list-style:none;margin:0;padding:.3rem}
#found:empty{display:none}
#found a{display:block;padding:.4rem .6rem;text-decoration:none}
#found a:hover,#found a:focus{background:var(--soft)}
#found small{display:block;color:var(--muted)}
.frame{display:grid;grid-template-columns:16rem minmax(0,1fr) 14rem;gap:2.5rem;max-width:90rem;margin:0 auto;padding:1.5rem 1rem}
nav ul{list-style:none;margin:0;padding:0}
nav li a{display:block;padding:.2rem 0;color:var(--muted);text-decoration:none}
nav li a:hover,nav a[aria-current]{color:var(--link)}
nav h2{font-size:.8rem;margin:1rem 0 .3rem;color:var(--text)}
.pages,.here{position:sticky;top:4.5rem;align-self:start;max-height:calc(100vh - 6rem);overflow:auto;font-size:.92rem}
.here .d3{padding-left:.8rem}
main{min-width:0;overflow-wrap:anywhere}
main img{max-width:100%;height:auto}
h1{line-height:1.2;margin-top:0}
main h2{margin-top:2.2rem;padding-top:.6rem;border-top:1px solid var(--line)}
.anchor{color:var(--muted);font-weight:400}
code{font:.875em ui-monospace,monospace;background:var(--soft);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{position:relative;background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;overflow:auto;line-height:1.45}
pre code{background:none;padding:0;overflow-wrap:normal}
.block{position:relative}
.block pre{padding-top:2.4rem}
.block button{position:absolute;top:.4rem;right:.4rem;font-size:.8rem;padding:.1rem .5rem;min-height:1.75rem}
.table{overflow-x:auto;overflow-wrap:normal}
table{border-collapse:collapse;font-size:.92rem}
th,td{border:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}
th{background:var(--soft)}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font-size:.9rem}
@media (max-width:70rem){.frame{grid-template-columns:14rem minmax(0,1fr)}.here{display:none}}
@media (max-width:48rem){.frame{display:block}.pages{position:static;max-height:none;margin-bottom:1.2rem}.bar{gap:.5rem}}
`;

export const SCRIPT = `'use strict';
const root = document.documentElement;
const kept = localStorage.getItem('theme');
if (kept) root.dataset.theme = kept;
addEventListener('DOMContentLoaded', () => {
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  document.getElementById('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
  });
  const narrow = matchMedia('(max-width: 48rem)');
  const pages = document.querySelector('.pages details');
  const fold = () => { pages.open = !narrow.matches; };
  narrow.addEventListener('change', fold);
  fold();
  for (const pre of document.querySelectorAll('pre')) {
    const block = document.createElement('div');
    block.className = 'block';
    pre.replaceWith(block);
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.textContent = 'Copy';
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pre.textContent.trimEnd());
      copy.textContent = 'Copied';
      setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
    });
    block.append(pre, copy);
  }
  const field = document.getElementById('search');
  const list = document.getElementById('found');
  let sections = null;
  const load = () => (sections ??= fetch('/docs/search.json').then((response) => response.json()));
  const show = async () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const all = await load();
    const rank = ({ title, page, text }) => {
      let sum = 0;
      for (const word of words) {
        if (title.toLowerCase().includes(word)) sum += 10;
        else if (page.toLowerCase().includes(word)) sum += 3;
        else if (text.toLowerCase().includes(word)) sum += 1;
        else return 0;
      }
      return sum;
    };
    const found = words.length === 0 ? [] : all.map((section) => [rank(section), section]).filter(([sum]) => sum > 0);
    found.sort(([a], [b]) => b - a);
    list.replaceChildren(...found.filter((_, place) => place < 20).map(([, section]) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      const page = document.createElement('small');
      link.href = section.address;
      link.textContent = section.title;
      page.textContent = section.page;
      link.append(page);
      item.append(link);
      return item;
    }));
    document.getElementById('count').textContent = words.length === 0 ? '' : found.length + ' found';
  };
  field.addEventListener('focus', load);
  field.addEventListener('input', show);
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.target.matches('input')) {
      event.preventDefault();
      field.focus();
    }
    if (event.key === 'Escape') list.replaceChildren();
  });
});
`;
