import type { Module } from '../../engine/task.ts'
import { createAsset } from './assets.create.ts'
import { deleteAsset } from './assets.delete.ts'
import { getAsset } from './assets.get.ts'
import { verifyAsset } from './assets.verify.ts'

export const assets: Module = { name: 'assets', handlers: [createAsset, deleteAsset, getAsset, verifyAsset], tasks: [] }
