import { rootFiles, layers, type LayerBoundary } from '../boundaries.ts'
import { listImports, type ImportEdge } from '../graph.ts'
import { isTest, workspaceOf, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

const boundaries: Readonly<Record<string, LayerBoundary>> = layers
const source = 'packages/server/src/'
const allowedEverywhere = ['packages/contract', 'packages/geo']

function layerOf(path: string): string | null {
  if ((rootFiles as readonly string[]).includes(path)) return 'root'
  return path.startsWith(source) ? path.slice(source.length).split('/')[0]! : null
}

function findViolation(edge: ImportEdge): string | null {
  const layer = layerOf(edge.from)
  if (layer === null || isTest(edge.from)) return null
  const boundary = boundaries[layer]
  if (!boundary) return `${layer} is not a layer of the server`
  const target = workspaceOf(edge.to!)
  if (target !== 'packages/server') {
    const allowed = target !== null && [...allowedEverywhere, ...boundary.packages].includes(target)
    return allowed ? null : `${layer} may not import ${target ?? edge.to}`
  }
  const other = layerOf(edge.to!)
  if (other === layer || (other !== null && boundary.imports.includes(other))) return null
  return `${layer} may not import ${other ?? edge.to}`
}

export const layersRule: TidyRule = {
  name: 'layers',
  reason: 'A lower layer does not import an upper one, and http and domains do not import each other.',
  check: (tree: SourceTree): TidyFinding[] =>
    listImports(tree)
      .filter((edge) => edge.to !== null)
      .flatMap((edge) => {
        const message = findViolation(edge)
        return message === null ? [] : [{ file: edge.from, message }]
      }),
}
