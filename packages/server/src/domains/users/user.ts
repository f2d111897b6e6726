/** A user without credentials. */
export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string | null
  /** The organization that the user chose last; null exactly for a user who is in none. */
  readonly organization_id: string | null
  readonly created_at: Date
}
