/**
 * What differs between the asynchronous sources and those that block. Every pattern is a word of Python or a name of ours, so
 * that comments and docstrings change with the code.
 */
const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[([^[\]]+)\] \| \1/g, '$1'],
  [/\bAwaitable\[((?:[^[\]]|\[[^[\]]*\])+)\]/g, '$1'],
  [/\b_runtime import aio\b/g, '_runtime import threads'],
  [/\b_runtime\.aio\b/g, '_runtime.threads'],
  [/\baio as runtime\b/g, 'threads as runtime'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\bAbstractAsyncContextManager\b/g, 'AbstractContextManager'],
  [/\baclosing\b/g, 'closing'],
  [/\bAsyncGenerator\[((?:[^[\]]|\[[^[\]]*\])+), None\]/g, 'Generator[$1, None, None]'],
  [/\bStopAsyncIteration\b/g, 'StopIteration'],
  [/\b__a(enter|exit|iter|next)__/g, '__$1__'],
  [/\ba(close|read|iter_bytes|iter_lines|iter_raw)\b/g, '$1'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/\b_async\b/g, '_sync'],
  [/\basynchronous\b/g, 'synchronous'],
  [/\bAn asynchronous\b/g, 'A synchronous'],
]

const notice = '# Printed from the asynchronous source by `npm run build:python`; do not edit.\n'

/** The blocking form of an asynchronous source of Python. */
export const printSyncSource = (source: string): string =>
  notice + replacements.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), source)
