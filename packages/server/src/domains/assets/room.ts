import type { Room } from '../../engine/task.ts'
import { deleteAsset } from './assets.delete.ts'
import { getAsset } from './assets.get.ts'
import { verifyAsset } from './assets.verify.ts'

export const assets: Room = { name: 'assets', handlers: [deleteAsset, getAsset, verifyAsset], tasks: [] }
