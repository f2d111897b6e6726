import type { Module } from '../../engine/task.ts'
import { listPresets } from './operations/visualization.list_for.ts'
import { createProfile } from './operations/visualization.profile.create.ts'
import { deleteItemProfile } from './operations/visualization.profile.delete.ts'
import { getProfile } from './operations/visualization.profile.get.ts'
import { setDefaultProfile } from './operations/visualization.profile.set_default.ts'
import { updateItemProfile } from './operations/visualization.profile.update.ts'
import { listItemProfiles } from './operations/visualization.profiles.list.ts'

export const visualization: Module = {
  name: 'visualization',
  handlers: [
    listPresets,
    createProfile,
    getProfile,
    updateItemProfile,
    deleteItemProfile,
    setDefaultProfile,
    listItemProfiles,
  ],
  tasks: [],
}
