import type { Module } from '../../engine/task.ts'
import { listPresets } from './visualization.list_for.ts'
import { createProfile } from './visualization.profile.create.ts'
import { deleteItemProfile } from './visualization.profile.delete.ts'
import { getProfile } from './visualization.profile.get.ts'
import { setDefaultProfile } from './visualization.profile.set_default.ts'
import { updateItemProfile } from './visualization.profile.update.ts'
import { listItemProfiles } from './visualization.profiles.list.ts'

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
