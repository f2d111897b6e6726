/** The `fields` parameter of the fields extension. */
export interface FieldChoice {
  readonly include?: readonly string[] | null
  readonly exclude?: readonly string[] | null
}

type Members = Readonly<Record<string, unknown>>

/** The default members: those of a valid item. */
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

/** Members that are added to nested ones to identify the item. */
const identifying = ['type', 'stac_version', 'id', 'links']

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for the path itself and paths below it. */
const covers = (path: string, name: string): boolean => name === path || name.startsWith(`${path}.`)

/** The members at the paths; names may contain dots, so every split is tried. */
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
 * The selected members of an item. `exclude` alone removes members from the whole item; with an empty `include`, from the
 * default members; a member in both is included.
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
