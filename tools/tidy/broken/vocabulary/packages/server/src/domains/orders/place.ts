export interface Order {
  readonly id: string
}
export const message = 'no room on the disk'
