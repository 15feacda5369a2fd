import type { HourSum } from '../../core/index.ts'
import type { Answer } from '../contract.ts'
import { createReportCache, type ReportCache } from './report-cache.ts'

/** Reports that were made a moment ago, by what was asked for. */
export interface Reports {
  readonly sums: ReportCache<readonly HourSum[]>
  readonly limits: ReportCache<Answer<'GET /api/reports/limits'>>
  readonly agents: ReportCache<Answer<'GET /api/reports/agents'>>
  readonly suggestions: ReportCache<Answer<'GET /api/reports/suggestions'>>
  readonly tried: ReportCache<Answer<'GET /api/reports/trial'>>
  readonly alerts: ReportCache<Answer<'GET /api/alerts'>>
}

export function createReports(nowMs: () => number): Reports {
  return {
    sums: createReportCache(nowMs),
    limits: createReportCache(nowMs),
    agents: createReportCache(nowMs),
    suggestions: createReportCache(nowMs),
    tried: createReportCache(nowMs),
    alerts: createReportCache(nowMs),
  }
}
