import { module } from './items/module.ts'
export const modules = [module]
