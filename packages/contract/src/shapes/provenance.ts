import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const entityTypes = [
  'item',
  'order',
  'processing_job',
  'collection',
  'project',
  'share_link',
  'upload',
  'asset',
  'analytics_result',
  'api_call',
  'capture',
] as const

export const relations = [
  'derived_from',
  'delivered_by',
  'produced_by',
  'uploaded_by',
  'shared_as',
  'duplicated_from',
] as const

export const EntityType = Type.Enum([...entityTypes])
export const Relation = Type.Enum([...relations])

/** `src` came from `dst` in the way that `relation` names. */
export const ProvenanceEdge = Type.Object({
  depth: Type.Integer({ minimum: 1 }),
  src_type: EntityType,
  src_id: Type.String(),
  dst_type: EntityType,
  dst_id: Type.String(),
  relation: Relation,
  invocation_id: Nullable(Type.String({ description: 'The call that wrote the edge.' })),
})

export const ProvenanceNode = Type.Object({
  entity_type: EntityType,
  entity_id: Type.String(),
  depth: Type.Integer({ minimum: 0 }),
  deleted: Type.Boolean({ description: 'A tombstone: the thing itself is gone.' }),
})

/** Where something came from, or what was made of it. */
export const Lineage = Type.Object({
  root: Type.Object({ entity_type: EntityType, entity_id: Type.String() }),
  direction: Type.Enum(['up', 'down', 'both']),
  edges: Type.Array(ProvenanceEdge),
  nodes: Type.Array(ProvenanceNode),
  truncated: Type.Boolean({ description: 'There are more edges than one answer holds.' }),
})

/** One neighbour of an item in the graph. */
export const Relative = Type.Object({
  entity_type: EntityType,
  entity_id: Type.String(),
  relation: Relation,
  deleted: Type.Boolean(),
  created_at: Timestamp,
})

export const ItemLineage = Type.Object({
  item_id: Uuid,
  parents: Type.Array(Relative),
  children: Type.Array(Relative),
})

export type EntityType = Static<typeof EntityType>
export type Relation = Static<typeof Relation>
export type ProvenanceEdge = Static<typeof ProvenanceEdge>
export type ProvenanceNode = Static<typeof ProvenanceNode>
export type Lineage = Static<typeof Lineage>
export type ItemLineage = Static<typeof ItemLineage>
