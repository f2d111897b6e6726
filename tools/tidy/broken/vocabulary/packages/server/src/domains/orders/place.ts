export interface Order {
  readonly id: string
}
export const message = 'no room on the disk'
export const address = '120 Collins Street'
export const groundSampleDistance = 'metres on the ground'
export const street = 'the street of billing'
