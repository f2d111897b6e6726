import type { Module } from '../../engine/task.ts'
import { createAsset } from './operations/assets.create.ts'
import { deleteAsset } from './operations/assets.delete.ts'
import { getAsset } from './operations/assets.get.ts'
import { verifyAsset } from './operations/assets.verify.ts'

export const assets: Module = { name: 'assets', handlers: [createAsset, deleteAsset, getAsset, verifyAsset], tasks: [] }
