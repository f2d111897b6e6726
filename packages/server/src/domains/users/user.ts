/** A user without credentials. */
export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly organization_id: string | null
  readonly created_at: Date
}
