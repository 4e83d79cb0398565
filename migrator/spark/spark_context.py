"""Public names of `SparkContext`, which a streaming context does not have; a test compares them."""

from __future__ import annotations

NAMES = frozenset(
    (
        *("accumulator", "addArchive", "addFile", "addJobTag", "addPyFile", "applicationId"),
        *("binaryFiles", "binaryRecords", "broadcast", "cancelAllJobs", "cancelJobGroup"),
        *("cancelJobsWithTag", "clearJobTags", "defaultMinPartitions", "defaultParallelism"),
        *("dump_profiles", "emptyRDD", "getCheckpointDir", "getConf", "getJobTags"),
        *("getLocalProperty", "getSystemProperty", "hadoopFile", "hadoopRDD", "listArchives"),
        *("listFiles", "newAPIHadoopFile", "newAPIHadoopRDD", "parallelize", "pickleFile"),
        *("range", "removeJobTag", "resources", "runJob", "sequenceFile", "setCheckpointDir"),
        *("setInterruptOnCancel", "setJobDescription", "setJobGroup", "setLocalProperty"),
        *("setLogLevel", "setSystemProperty", "show_profiles", "sparkUser", "startTime"),
        *("statusTracker", "textFile", "uiWebUrl", "version", "wholeTextFiles"),
    )
)
