import { dirname } from 'node:path/posix'
import { folderMaps, type FolderBoundary } from '../boundaries.ts'
import { buildSuccessors, findCycles, listImports, type ImportEdge } from '../graph.ts'
import { isTest, type SourceTree, type TidyFinding, type TidyRule } from '../tree.ts'

type FolderMap = Readonly<Record<string, FolderBoundary>>

/** The folder of the map that holds a file; null for the files beside the folders. */
function folderOf(root: string, path: string): string | null {
  const segments = path.slice(root.length).split('/')
  return segments.length > 1 ? segments[0]! : null
}

/** A folder may import the folders that its row names and, of the files beside the folders, all but the public API. */
function findViolation(root: string, map: FolderMap, edge: ImportEdge): string | null {
  const from = folderOf(root, edge.from)
  const to = folderOf(root, edge.to!)
  if (from === null) {
    const isPublicApi = edge.from === `${root}index.ts`
    return to === null || isPublicApi ? null : `a file beside the folders may not import ${to}`
  }
  const boundary = map[from]
  if (!boundary) return `${from} is not a folder of the map`
  if (to === null) return edge.to === `${root}index.ts` ? `${from} may not import the public API` : null
  return to === from || boundary.imports.includes(to) ? null : `${from} may not import ${to}`
}

/** Folders at any depth that reach each other: they can only be understood together. */
function findFolderCycles(root: string, edges: readonly ImportEdge[]): TidyFinding[] {
  const pairs = edges
    .map(({ from, to }) => [`${dirname(from)}/`, `${dirname(to!)}/`] as const)
    .filter(([from, to]) => from !== to && from !== root && to !== root)
  return findCycles(buildSuccessors(pairs)).map((folders) => ({
    file: folders[0]!,
    message: `the folders ${folders.join(', ')} form an import cycle`,
  }))
}

export const foldersRule: TidyRule = {
  name: 'folders',
  reason: 'The folders of a package are layers: each knows the earlier ones, and no two know each other.',
  check: (tree: SourceTree): TidyFinding[] =>
    Object.entries<FolderMap>(folderMaps).flatMap(([root, map]) => {
      const inside = listImports(tree).filter(
        ({ from, to }) => from.startsWith(root) && to?.startsWith(root) && !isTest(from),
      )
      const found = inside.flatMap((edge): TidyFinding[] => {
        const message = findViolation(root, map, edge)
        return message === null ? [] : [{ file: edge.from, message }]
      })
      return [...found, ...findFolderCycles(root, inside)]
    }),
}
