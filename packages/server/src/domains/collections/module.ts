import type { Module } from '../../engine/task.ts'
import { createCollection } from './collections.create.ts'
import { removeCollection } from './collections.delete.ts'
import { getCollection } from './collections.get.ts'
import { listCollections } from './collections.list.ts'
import { restoreCollection } from './collections.restore.ts'
import { changeCollection } from './collections.update.ts'

export const collections: Module = {
  name: 'collections',
  handlers: [createCollection, getCollection, listCollections, changeCollection, removeCollection, restoreCollection],
  tasks: [],
}
