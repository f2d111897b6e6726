/** Collections of other strategies have no raster that can be rendered. */
export const renderableStrategyName = 'cog'
