/** The fields extension, as it is asked. */
export interface FieldChoice {
  readonly include?: readonly string[] | null
  readonly exclude?: readonly string[] | null
}

type Members = Readonly<Record<string, unknown>>

/** What is answered where nothing is named: an item that is still valid. */
const defaults = [
  'type',
  'stac_version',
  'id',
  'collection',
  'geometry',
  'bbox',
  'links',
  'assets',
  'properties.datetime',
  'properties.start_datetime',
  'properties.end_datetime',
]

/** What tells which item it is that a member deep within was taken from. */
const identifying = ['type', 'stac_version', 'id', 'links']

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for the path itself and for whatever lies within it. */
const covers = (path: string, name: string): boolean => name === path || name.startsWith(`${path}.`)

/** The members at the paths; a name may have dots of its own, so every split is tried. */
function included(members: Members, paths: readonly string[], above = ''): Members {
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(members)) {
    const path = above + name
    if (paths.includes(path)) kept.push([name, value])
    else if (isMembers(value) && paths.some((asked) => asked.startsWith(`${path}.`))) {
      const inner = included(value, paths, `${path}.`)
      if (Object.keys(inner).length > 0) kept.push([name, inner])
    }
  }
  return Object.fromEntries(kept)
}

function excluded(members: Members, paths: readonly string[], above = ''): Members {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !paths.includes(above + name))
      .map(([name, value]) => {
        const path = above + name
        const deeper = isMembers(value) && paths.some((asked) => asked.startsWith(`${path}.`))
        return [name, deeper ? excluded(value, paths, `${path}.`) : value]
      }),
  )
}

/**
 * The item with the members that are asked for. `exclude` alone leaves the rest; with an `include` that is empty it is taken
 * from the default members; what both name is included.
 */
export function pickFields(item: Members, { include, exclude }: FieldChoice): Members {
  const without = exclude ?? []
  if (include === undefined && without.length > 0) return excluded(item, without)
  if (!include || include.length === 0) return excluded(included(item, defaults), without)
  const deep = include.some((name) => name.includes('.'))
  const asked = deep ? [...identifying, ...include] : include
  return excluded(
    included(item, asked),
    without.filter((name) => !include.some((wanted) => covers(name, wanted))),
  )
}
