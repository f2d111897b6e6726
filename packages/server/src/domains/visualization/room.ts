import type { Room } from '../../engine/task.ts'
import { listWays } from './visualization.list_for.ts'
import { createProfile } from './visualization.profile.create.ts'
import { removeProfile } from './visualization.profile.delete.ts'
import { getProfile } from './visualization.profile.get.ts'
import { setDefaultProfile } from './visualization.profile.set_default.ts'
import { changeProfile } from './visualization.profile.update.ts'
import { listItemProfiles } from './visualization.profiles.list.ts'

export const visualization: Room = {
  name: 'visualization',
  handlers: [listWays, createProfile, getProfile, changeProfile, removeProfile, setDefaultProfile, listItemProfiles],
  tasks: [],
}
