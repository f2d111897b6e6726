import type { Operation } from '../../packages/contract/src/operation.ts'

/** A part of ids: an operation, a group of operations, or both. */
export interface OperationNode {
  operation: Operation | null
  readonly children: Map<string, OperationNode>
}

const createNode = (): OperationNode => ({ operation: null, children: new Map() })

/** The operations as a tree by the parts of their ids. */
export function buildOperationTree(operations: readonly Operation[]): OperationNode {
  const root = createNode()
  for (const operation of operations) {
    let node = root
    for (const part of operation.id.split('.')) {
      const child = node.children.get(part) ?? createNode()
      node.children.set(part, child)
      node = child
    }
    node.operation = operation
  }
  return root
}
