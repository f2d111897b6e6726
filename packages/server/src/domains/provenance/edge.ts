export interface Entity {
  readonly type: string
  readonly id: string
}

export type Relation = 'derived_from' | 'delivered_by' | 'produced_by' | 'uploaded_by' | 'shared_as' | 'duplicated_from'

/** An edge of provenance: `src` was created from `dst`. */
export interface Edge {
  readonly relation: Relation
  readonly src: Entity
  readonly dst: Entity
}
