const effects: Readonly<Record<string, string>> = { r: 'read', $: 'spend', x: 'export', d: 'destructive' }
const pagings: Readonly<Record<string, string>> = { o: 'offset', p: 'page', s: 'search', t: 'token' }
const kinds: Readonly<Record<string, string>> = { b: 'bytes', n: 'ndjson', e: 'event-stream' }

function findValue(letters: readonly string[], values: Readonly<Record<string, string>>): string | undefined {
  const letter = letters.find((candidate) => Object.hasOwn(values, candidate))
  return letter === undefined ? undefined : values[letter]
}

/** Effect, paging, kind of response, and whether a key is accepted. */
function readRow(text: string): readonly [string, string | null, string, boolean] {
  const letters = [...text]
  return [
    findValue(letters, effects) ?? 'compute',
    findValue(letters, pagings) ?? null,
    findValue(letters, kinds) ?? 'json',
    letters.includes('k'),
  ]
}

/**
 * The rows of a manifest by id. The text has the ids as a tree, which is a third shorter for a web page than a table:
 * `items(get:r list:ro)`; the letters after a colon are the effect, the paging and the kind of response that differ from those
 * of most writes, and `k` for an idempotency key. A name with an inner part is an operation, too, if it has a colon.
 */
export function readManifest<Manifest>(text: string): Manifest {
  const rows: [id: string, row: unknown][] = []
  const path: string[] = []
  for (const [, name, letters, bracket] of text.matchAll(/([^\s:()]+)(:[^\s()]*)?(\()?|\)/g)) {
    if (name === undefined) {
      path.pop()
      continue
    }
    if (letters !== undefined || !bracket) rows.push([[...path, name].join('.'), readRow(letters ?? '')])
    if (bracket) path.push(name)
  }
  return Object.fromEntries(rows) as Manifest
}
