import { parseSync } from 'vite'

/** A node of the syntax tree of TypeScript, as Vite's parser gives it. */
export interface SyntaxNode {
  readonly type: string
  readonly [key: string]: unknown
}

/** Throws an Error for a file that is not TypeScript. */
export function parseFile(path: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return program as unknown as SyntaxNode
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The nodes directly below a node, in the order of the text. */
export const childNodes = (node: SyntaxNode): SyntaxNode[] => Object.values(node).flat().filter(isNode)

/** The node and all below it, in the order of the text. */
export function* listNodes(node: SyntaxNode): Generator<SyntaxNode> {
  yield node
  for (const child of childNodes(node)) yield* listNodes(child)
}
