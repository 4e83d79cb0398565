scalaVersion := "2.11.12"
libraryDependencies ++= Seq(
  "org.apache.spark" %% "spark-sql" % "2.4.8",
  "org.apache.spark" %% "spark-streaming-kafka-0-10" % "2.4.8", // expect: D901
  // "org.apache.spark" %% "spark-streaming-flume" % "2.4.8",
)
