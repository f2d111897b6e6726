// The house opens its door.
export interface Order {
  readonly wish: string
}
