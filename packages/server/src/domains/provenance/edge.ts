export interface ProvenanceEntity {
  readonly type: string
  readonly id: string
}

export type RecordedRelation =
  | 'derived_from'
  | 'delivered_by'
  | 'produced_by'
  | 'uploaded_by'
  | 'shared_as'
  | 'duplicated_from'

/** An edge of provenance: `src` was created from `dst`. */
export interface NewProvenanceEdge {
  readonly relation: RecordedRelation
  readonly src: ProvenanceEntity
  readonly dst: ProvenanceEntity
}
