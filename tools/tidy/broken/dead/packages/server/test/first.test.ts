import { people } from './people.ts'
export const tested = people
