import {
  entryPoints,
  nodeFolders,
  packages,
  standalonePrograms,
  testImports,
  typeLibraries,
  type PackageBoundary,
} from '../boundaries.ts'
import { listImports, type ImportEdge } from '../graph.ts'
import { isTest, workspaceOf, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const boundaries: Readonly<Record<string, PackageBoundary>> = packages

/** The library of a specifier: `@aws-sdk/client-s3`, `typebox` for `typebox/compile`. */
const libraryName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function listDependencies(tree: SourceTree, workspace: string, withDev: boolean): Set<string> {
  const text = tree.files.get(workspace === '' ? 'package.json' : `${workspace}/package.json`)
  if (!text) return new Set()
  const manifest = JSON.parse(text) as Record<
    'dependencies' | 'optionalDependencies' | 'devDependencies',
    object | undefined
  >
  return new Set([
    ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    ...(withDev ? Object.keys(manifest.devDependencies ?? {}) : []),
  ])
}

/** True if a file runs in Node only: a test, one of a package that needs it, or of a folder that does. */
const runsInNode = (path: string, workspace: string): boolean =>
  boundaries[workspace]!.allowsNode || isTest(path) || nodeFolders.some((folder) => path.startsWith(folder))

function checkLibrary(tree: SourceTree, edge: ImportEdge, workspace: string): string | null {
  const isTestFile = isTest(edge.from)
  if (edge.specifier.startsWith('node:')) {
    return runsInNode(edge.from, workspace)
      ? null
      : `${edge.specifier} needs Node, and ${workspace} must run without it`
  }
  const library = libraryName(edge.specifier)
  const isDeclared =
    listDependencies(tree, workspace, isTestFile).has(library) ||
    (typeLibraries.includes(library) && listDependencies(tree, workspace, true).has(`@types/${library}`)) ||
    (isTestFile && listDependencies(tree, '', true).has(library))
  return isDeclared ? null : `${library} is not in the dependencies of ${workspace}`
}

function check(tree: SourceTree): TidyFinding[] {
  return listImports(tree).flatMap((edge): TidyFinding[] => {
    const workspace = workspaceOf(edge.from)
    if (!workspace) return []
    const boundary = boundaries[workspace]
    if (!boundary) return [{ file: edge.from, message: `${workspace} is not in boundaries.ts` }]
    const found =
      edge.to === null ? checkLibrary(tree, edge, workspace) : checkWorkspace(tree, edge, workspace, boundary)
    return found === null ? [] : [{ file: edge.from, message: found }]
  })
}

function checkWorkspace(
  tree: SourceTree,
  edge: ImportEdge,
  workspace: string,
  boundary: PackageBoundary,
): string | null {
  const target = workspaceOf(edge.to!)
  const needsNode = nodeFolders.some((folder) => edge.to!.startsWith(folder))
  if (needsNode && !runsInNode(edge.from, workspace))
    return `${edge.to} needs Node, and ${edge.from} must run without it`
  if (target === workspace) return null
  if (target === null) return workspace === 'packages/cli' && standalonePrograms.includes(edge.to!) ? null : `${edge.to} is not part of a package` // prettier-ignore
  if (isTest(edge.from) && testImports[workspace]?.includes(target)) return null
  if (!boundary.imports.includes(target)) return `${workspace} may not import ${target}`
  const library = libraryName(edge.specifier)
  if (library.startsWith('.')) return `${edge.to} must be imported by the name of its package`
  if (!listDependencies(tree, workspace, false).has(library))
    return `${library} is not in the dependencies of ${workspace}`
  const entryPoint = entryPoints[target]
  return entryPoint && edge.to !== entryPoint && !isTest(edge.from)
    ? `only ${entryPoint} of ${target} may be imported`
    : null
}

export const packagesRule: TidyRule = {
  name: 'packages',
  reason: 'Workspaces import each other only as boundaries.ts allows, and declare the libraries that they use.',
  check,
}
