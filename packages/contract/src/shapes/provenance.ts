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

/** `src` originates from `dst`; `relation` says how. */
export const ProvenanceEdge = Type.Object({
  depth: Type.Integer({ minimum: 1 }),
  src_type: EntityType,
  src_id: Type.String(),
  dst_type: EntityType,
  dst_id: Type.String(),
  relation: Relation,
  invocation_id: Nullable(Type.String({ description: 'The call that created the edge.' })),
})

export const ProvenanceNode = Type.Object({
  entity_type: EntityType,
  entity_id: Type.String(),
  depth: Type.Integer({ minimum: 0 }),
  deleted: Type.Boolean({ description: 'True if the entity was deleted and only its lineage remains.' }),
})

/** The sources of an entity, or what was derived from it. */
export const Lineage = Type.Object({
  root: Type.Object({ entity_type: EntityType, entity_id: Type.String() }),
  direction: Type.Enum(['up', 'down', 'both']),
  edges: Type.Array(ProvenanceEdge),
  nodes: Type.Array(ProvenanceNode),
  truncated: Type.Boolean({ description: 'True if there are more edges than one response holds.' }),
})

/** One neighbour of an item in the lineage graph. */
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
