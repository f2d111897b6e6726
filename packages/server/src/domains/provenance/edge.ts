export interface Entity {
  readonly type: string
  readonly id: string
}

export type Relation = 'derived_from' | 'delivered_by' | 'produced_by' | 'uploaded_by' | 'shared_as' | 'duplicated_from'

/** One step of lineage: `src` is what came into being, `dst` what it came from. */
export interface Edge {
  readonly relation: Relation
  readonly src: Entity
  readonly dst: Entity
}
