import type { Module } from '../../engine/task.ts'
import { listColormaps } from './operations/cog.colormaps.ts'
import { listCogFormulas } from './operations/cog.formulas.ts'
import { computeCogStatistics } from './operations/cog.statistics.ts'
import { renderCogThumbnail } from './operations/cog.thumbnail.ts'
import { renderCogTile } from './operations/cog.tile.render.ts'
import { renderCogTerrain } from './operations/cog.tile.terrain.ts'

export const cog: Module = {
  name: 'cog',
  handlers: [renderCogTile, renderCogTerrain, computeCogStatistics, renderCogThumbnail, listColormaps, listCogFormulas],
  tasks: [],
}
