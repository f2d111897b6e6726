import type { Module } from '../../engine/task.ts'
import { createCollection } from './operations/collections.create.ts'
import { removeCollection } from './operations/collections.delete.ts'
import { getCollection } from './operations/collections.get.ts'
import { listCollections } from './operations/collections.list.ts'
import { restoreCollection } from './operations/collections.restore.ts'
import { changeCollection } from './operations/collections.update.ts'

export const collections: Module = {
  name: 'collections',
  handlers: [createCollection, getCollection, listCollections, changeCollection, removeCollection, restoreCollection],
  tasks: [],
}
