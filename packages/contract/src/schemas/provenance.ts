import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

export const provenanceEntityTypes = [
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

export const provenanceRelations = [
  'derived_from',
  'delivered_by',
  'produced_by',
  'uploaded_by',
  'shared_as',
  'duplicated_from',
] as const

export const ProvenanceEntityType = Type.Enum([...provenanceEntityTypes])
export const ProvenanceRelation = Type.Enum([...provenanceRelations])

/** `src` originates from `dst`; `relation` says how. */
export const ProvenanceEdge = Type.Object({
  depth: Type.Integer({ minimum: 1 }),
  src_type: ProvenanceEntityType,
  src_id: Type.String(),
  dst_type: ProvenanceEntityType,
  dst_id: Type.String(),
  relation: ProvenanceRelation,
  invocation_id: Nullable(Type.String({ description: 'The call that created the edge.' })),
})

export const ProvenanceNode = Type.Object({
  entity_type: ProvenanceEntityType,
  entity_id: Type.String(),
  depth: Type.Integer({ minimum: 0 }),
  deleted: Type.Boolean({ description: 'True if the entity was deleted and only its lineage remains.' }),
})

/** The sources of an entity, or the entities derived from it. */
export const Lineage = Type.Object({
  root: Type.Object({ entity_type: ProvenanceEntityType, entity_id: Type.String() }),
  direction: Type.Enum(['up', 'down', 'both']),
  edges: Type.Array(ProvenanceEdge),
  nodes: Type.Array(ProvenanceNode),
  truncated: Type.Boolean({ description: 'True if there are more edges than one response holds.' }),
})

/** One neighbour of an item in the lineage graph. */
export const LineageNeighbor = Type.Object({
  entity_type: ProvenanceEntityType,
  entity_id: Type.String(),
  relation: ProvenanceRelation,
  deleted: Type.Boolean(),
  created_at: Timestamp,
})

export const ItemLineage = Type.Object({
  item_id: Uuid,
  parents: Type.Array(LineageNeighbor),
  children: Type.Array(LineageNeighbor),
})

export type ProvenanceEntityType = Static<typeof ProvenanceEntityType>
export type ProvenanceRelation = Static<typeof ProvenanceRelation>
export type ProvenanceEdge = Static<typeof ProvenanceEdge>
export type ProvenanceNode = Static<typeof ProvenanceNode>
export type Lineage = Static<typeof Lineage>
export type ItemLineage = Static<typeof ItemLineage>
