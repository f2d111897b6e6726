import { fronts, packages, testImports, type PackageRow } from '../boundaries.ts'
import { edgesOf, type Edge } from '../graph.ts'
import { isTest, workspaceOf, type Finding, type Rule, type Tree } from '../tree.ts'

const rows: Readonly<Record<string, PackageRow>> = packages

/** The library of a specifier: `@aws-sdk/client-s3`, `typebox` for `typebox/compile`. */
const libraryOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function dependenciesOf(tree: Tree, workspace: string, withDev: boolean): Set<string> {
  const text = tree.files.get(workspace === '' ? 'package.json' : `${workspace}/package.json`)
  if (!text) return new Set()
  const manifest = JSON.parse(text) as { dependencies?: object; devDependencies?: object }
  return new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...(withDev ? Object.keys(manifest.devDependencies ?? {}) : []),
  ])
}

function outsideFinding(tree: Tree, edge: Edge, workspace: string): string | null {
  const test = isTest(edge.from)
  if (edge.specifier.startsWith('node:')) {
    return rows[workspace]!.node || test ? null : `${edge.specifier} needs Node, and ${workspace} must run without it`
  }
  const library = libraryOf(edge.specifier)
  const declared =
    dependenciesOf(tree, workspace, test).has(library) || (test && dependenciesOf(tree, '', true).has(library))
  return declared ? null : `${library} is not in the dependencies of ${workspace}`
}

function check(tree: Tree): Finding[] {
  return edgesOf(tree).flatMap((edge): Finding[] => {
    const workspace = workspaceOf(edge.from)
    if (!workspace) return []
    const row = rows[workspace]
    if (!row) return [{ file: edge.from, says: `${workspace} is not in boundaries.ts` }]
    const found = edge.to === null ? outsideFinding(tree, edge, workspace) : ourFinding(tree, edge, workspace, row)
    return found === null ? [] : [{ file: edge.from, says: found }]
  })
}

function ourFinding(tree: Tree, edge: Edge, workspace: string, row: PackageRow): string | null {
  const target = workspaceOf(edge.to!)
  if (target === workspace) return null
  if (target === null) return `${edge.to} is not part of a package`
  if (isTest(edge.from) && testImports[workspace]?.includes(target)) return null
  if (!row.imports.includes(target)) return `${workspace} may not import ${target}`
  const library = libraryOf(edge.specifier)
  if (library.startsWith('.')) return `${edge.to} must be imported by the name of its package`
  if (!dependenciesOf(tree, workspace, false).has(library))
    return `${library} is not in the dependencies of ${workspace}`
  const front = fronts[target]
  return front && edge.to !== front && !isTest(edge.from) ? `only ${front} of ${target} may be imported` : null
}

export const packagesRule: Rule = {
  name: 'packages',
  why: 'Workspaces import each other only as boundaries.ts allows, and declare the libraries that they use.',
  check,
}
