import type { Module } from '../../engine/task.ts'
import { listColormaps } from './cog.colormaps.ts'
import { listCogFormulas } from './cog.formulas.ts'
import { computeCogStatistics } from './cog.statistics.ts'
import { renderCogThumbnail } from './cog.thumbnail.ts'
import { renderCogTile } from './cog.tile.render.ts'
import { renderCogTerrain } from './cog.tile.terrain.ts'

export const cog: Module = {
  name: 'cog',
  handlers: [renderCogTile, renderCogTerrain, computeCogStatistics, renderCogThumbnail, listColormaps, listCogFormulas],
  tasks: [],
}
