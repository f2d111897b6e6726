import type { Room } from '../../engine/task.ts'
import { searchStac } from './stac.search.ts'

export const stac: Room = {
  name: 'stac',
  handlers: [searchStac],
  tasks: [],
}
